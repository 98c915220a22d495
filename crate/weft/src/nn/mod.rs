//! Modules: layers with parameters, composed in sequence.
//!
//! Names and initial values are PyTorch's.

pub(crate) mod activation;
pub(crate) mod ctc;
pub mod losses;
pub(crate) mod softmax;

use crate::device::Device;
use crate::device::parameter::Parameter;
use crate::device::tensor::Tensor;
use crate::random::Generator;
use weft_ir::{Error, Result};

/// A function of a tensor with parameters.
pub trait Module {
    /// Applies it.
    fn forward(&self, x: &Tensor) -> Result<Tensor>;

    /// Its parameters with dotted names, as `0.weight`.
    fn named_parameters(&self) -> Vec<(String, Parameter)>;

    /// Its parameters.
    fn parameters(&self) -> Vec<Parameter> {
        self.named_parameters().into_iter().map(|(_, parameter)| parameter).collect()
    }
}

/// x·Wᵀ + b, for x of `[…, inputs]`: weight `[outputs, inputs]`, bias `[outputs]`.
#[derive(Clone, Debug)]
pub struct Linear {
    /// `[outputs, inputs]`.
    pub weight: Parameter,
    /// `[outputs]`, if there is one.
    pub bias: Option<Parameter>,
}

impl Linear {
    /// Both uniform in ±1/√inputs, as `torch.nn.Linear`. Errors with `Shape` when there are no
    /// inputs.
    pub fn new(
        device: &Device,
        generator: &Generator,
        inputs: usize,
        outputs: usize,
        bias: bool,
    ) -> Result<Linear> {
        if inputs == 0 {
            return Err(Error::shape("Linear", "a layer needs at least one input"));
        }
        let bound = 1.0 / (inputs as f64).sqrt();
        let draw = |shape: &[usize]| Parameter::new(generator.uniform(device, shape, -bound, bound)?);
        Ok(Linear {
            weight: draw(&[outputs, inputs])?,
            bias: if bias { Some(draw(&[outputs])?) } else { None },
        })
    }
}

impl Module for Linear {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let weight = self.weight.get()?;
        if x.shape().last() != weight.shape().last() {
            let what = format!("{} × weight {}: the last axes must be equal", x.shape(), weight.shape());
            return Err(Error::shape("Linear", what));
        }
        let product = x.matmul(&weight.transpose()?)?;
        match &self.bias {
            Some(bias) => product.add(bias.get()?),
            None => Ok(product),
        }
    }

    fn named_parameters(&self) -> Vec<(String, Parameter)> {
        let bias = self.bias.iter().map(|bias| ("bias".to_owned(), bias.clone()));
        std::iter::once(("weight".to_owned(), self.weight.clone())).chain(bias).collect()
    }
}

/// A function of each element as a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activation {
    /// max(x, 0).
    Relu,
    /// x·Φ(x).
    Gelu,
    /// 1/(1+e⁻ˣ).
    Sigmoid,
    /// Hyperbolic tangent.
    Tanh,
}

impl Module for Activation {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match self {
            Activation::Relu => x.relu(),
            Activation::Gelu => x.gelu(),
            Activation::Sigmoid => x.sigmoid(),
            Activation::Tanh => x.tanh(),
        }
    }

    fn named_parameters(&self) -> Vec<(String, Parameter)> {
        Vec::new()
    }
}

/// Modules applied one after the other.
#[derive(Default)]
pub struct Sequential {
    layers: Vec<Box<dyn Module>>,
}

impl Sequential {
    /// No layers: the identity.
    pub fn new() -> Sequential {
        Sequential::default()
    }

    /// With one more layer at the end.
    pub fn then(mut self, layer: impl Module + 'static) -> Sequential {
        self.layers.push(Box::new(layer));
        self
    }
}

impl Module for Sequential {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.layers.iter().try_fold(x.clone(), |x, layer| layer.forward(&x))
    }

    fn named_parameters(&self) -> Vec<(String, Parameter)> {
        let mut all = Vec::new();
        for (n, layer) in self.layers.iter().enumerate() {
            let named = layer.named_parameters().into_iter();
            all.extend(named.map(|(name, parameter)| (format!("{n}.{name}"), parameter)));
        }
        all
    }
}
