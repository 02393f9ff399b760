"""What is written down: receipts, spending, conversations, the diary."""
