@echo off
set HOST=localhost
set PORT=9000
shop serve --port %PORT%
pause
