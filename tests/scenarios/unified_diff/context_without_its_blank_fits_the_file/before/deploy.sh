set -e
make build
rsync -a out/ web:/srv
echo done
