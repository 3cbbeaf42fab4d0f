@rem Runs a command of Kaptain with the Node of this folder: kaptain help
@setlocal
@rem The installed service keeps its data elsewhere; data-folder.txt says where.
@if not defined KAPTAIN_DATA_DIR if exist "%~dp0data-folder.txt" set /p KAPTAIN_DATA_DIR=<"%~dp0data-folder.txt"
@"%~dp0node\bin\node.exe" "%~dp0app\service\lib\kaptain.js" %*
