"""What people type into forms: read, checked, and answered with a sentence for each field that is wrong."""
