"""The engine of people with a login: their own `claude` program, in print mode, behind walls."""
