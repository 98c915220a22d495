"""Groups of conformance cases, one module per committed JSON file."""
