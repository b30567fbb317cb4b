#!/bin/sh
# Stands in for mpirun of Open MPI: starts $PLIMSOLL_ENGINE once, in its own place.
[ "$1" = --version ] && echo 'mpirun (Open MPI) 4.1.4' && exit
while [ $# -gt 0 ] && [ "$1" != "$PLIMSOLL_ENGINE" ]; do shift; done
exec "$@"
