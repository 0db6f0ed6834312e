"""What can be done in a battle and what is asked in it: keys and answers, made into orders."""
