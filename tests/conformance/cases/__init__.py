"""What is in each group of conformance cases? One module per committed JSON file."""
