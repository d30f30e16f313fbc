"""What the robot does for the service: it plays for a seat, advises its player, and reviews finished hands."""
