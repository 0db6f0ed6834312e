"""Shots, volleys and repeat shots: how typed keys become orders to fire.

Begin with ``command``. ``rows`` has who fires and at whom, ``order`` makes an order of the answers,
``toggles`` what keys change about a shot (circumstances, weapon, shooter), and ``repeat`` the shot
that is offered after a hit.
"""
