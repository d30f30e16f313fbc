"""Handles inbound mails: stores each, finds what it answers, does what it asks for, and answers it if need be."""
