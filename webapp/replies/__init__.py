"""Reading emails that arrive: a pure function from bytes to what their sender typed."""
