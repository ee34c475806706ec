//! NumPy arrays of the caller as slices.

use numpy::{Element, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::PyResult;

use crate::bad_argument;

/// An array that is written to.
pub type Out<'py, T> = PyReadwriteArrayDyn<'py, T>;
/// An array that is read.
pub type In<'py, T> = PyReadonlyArrayDyn<'py, T>;

/// The numbers of an array that is written to, row by row.
pub fn out<'a, T: Element>(name: &str, array: &'a mut Out<'_, T>) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|_| contiguous(name))
}

/// The numbers of an array that is read, row by row.
pub fn read<'a, T: Element>(name: &str, array: &'a In<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| contiguous(name))
}

fn contiguous(name: &str) -> pyo3::PyErr {
    bad_argument(format!("{name} is not contiguous, make it by numpy.ascontiguousarray"))
}
