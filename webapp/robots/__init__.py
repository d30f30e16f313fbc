"""The robot at the service's disposal: it plays for a seat, advises its player, and reviews finished hands."""
