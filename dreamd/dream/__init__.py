"""What one dream does, from the snapshot to the receipt."""
