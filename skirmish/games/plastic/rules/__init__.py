"""The rules of the book as functions of data, without a battle."""
