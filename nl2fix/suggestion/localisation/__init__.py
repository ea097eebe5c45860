"""Which method: the issue, failing tests and traces, and the likeliest methods for them."""
