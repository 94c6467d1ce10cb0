@echo off
set PORT=8000
shop serve --port %PORT%
pause
