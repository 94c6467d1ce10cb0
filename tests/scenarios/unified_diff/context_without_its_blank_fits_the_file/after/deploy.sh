set -e
make clean build
rsync -a out/ web:/srv
echo done
