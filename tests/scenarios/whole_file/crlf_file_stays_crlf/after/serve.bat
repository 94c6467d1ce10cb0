@echo off
set PORT=9000
shop serve --port %PORT%
pause
