//! Tuning, as users drive it: [`Device::tune_slice`] in idle moments, [`Device::tune_export`] and
//! [`Device::tune_import`] to keep the winners.

use crate::device::Device;
use crate::device::tuner::Tuner;
use std::rc::Rc;
use weft_ir::{Error, ErrorKind, Result};

impl Device {
    /// Whether candidates of kernels may race on this device while nothing else is asked of it; at
    /// first they may not. Sums of floats may then be added in another order than before, within
    /// the bounds that each operation documents. Winners that are known serve in any case. On the
    /// CPU it changes nothing.
    pub fn set_tuning(&self, is_on: bool) {
        if let Some(tuner) = &self.inner.tuner {
            tuner.switch(is_on);
        }
    }

    /// Has `wake` called whenever there is something for [`Device::tune_slice`] to do and was
    /// nothing before: in the midst of whatever found it, so that it must not call this device.
    pub fn on_tunable(&self, wake: impl Fn() + 'static) {
        if let Some(tuner) = &self.inner.tuner {
            tuner.wake_by(Rc::new(wake));
        }
    }

    /// Races for some milliseconds, if nothing is asked of the device, or, when all races are over,
    /// compiles a program anew that winners make faster. Tells whether there is more to do. Errors
    /// when the device is lost.
    ///
    /// ```no_run
    /// # async fn idle(device: weft::Device) -> weft::Result<()> {
    /// device.set_tuning(true);
    /// // Whatever is compiled from now on is raced for.
    /// while device.tune_slice().await? {}
    /// # Ok(())
    /// # }
    /// ```
    pub fn tune_slice(&self) -> impl Future<Output = Result<bool>> + 'static + use<> {
        let device = self.clone();
        async move {
            let (Some(tuner), Some(runtime)) = (&device.inner.tuner, device.runtime()) else {
                return Ok(false);
            };
            tuner.slice(runtime).await
        }
    }

    /// All winners on this device, as text whose first line says which device and version they are
    /// of: what to store it under is that line. Empty on the CPU.
    pub fn tune_export(&self) -> String {
        self.inner.tuner.as_ref().map_or_else(String::new, |tuner| tuner.winners())
    }

    /// Takes winners that were exported; those that are known stay, and lines that cannot be read
    /// are left out. Tells how many were new and how many were left out. Errors with `Format` for
    /// what is no such text, or of another device or version.
    pub fn tune_import(&self, text: &str) -> Result<(usize, usize)> {
        let Some(tuner) = &self.inner.tuner else {
            return Err(Error::new(
                ErrorKind::Format,
                "tune.import",
                "the CPU has no kernels to choose among",
            ));
        };
        tuner.read(text)
    }

    /// The races that were held, the oldest first, so far as they are remembered: each a line that
    /// says what it was about, a line for each candidate, first who served before, with the median
    /// of its measurements, and a line with the fastest and how far its measurements lie apart,
    /// half of what the middle ones span as a part of the median.
    pub fn tune_log(&self) -> Vec<String> {
        self.inner.tuner.as_ref().map_or_else(Vec::new, Tuner::records)
    }

    /// How many races were held.
    pub fn tune_races(&self) -> u32 {
        self.inner.tuner.as_ref().map_or(0, |tuner| tuner.races())
    }
}
