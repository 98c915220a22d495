//! Enums with a list of all their variants. One macro writes both, so that the list stays complete.

/// An enum whose variants hold nothing, with `ALL` of them; where each has a name, as `Variant =
/// "name"`, also `name`.
macro_rules! listed {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[doc = $doc:literal])* $variant:ident $(= $text:literal)?,)* }) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[doc = $doc])* $variant,)*
        }

        impl $name {
            /// All of them, in the order of their definition.
            pub const ALL: [$name; [$($name::$variant),*].len()] = [$($name::$variant),*];
        }

        listed!(@names $name $($variant $($text)?,)*);
    };
    (@names $name:ident $($variant:ident $text:literal,)*) => {
        impl $name {
            /// What it is called.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }
    };
    (@names $name:ident $($variant:ident,)*) => {};
}
