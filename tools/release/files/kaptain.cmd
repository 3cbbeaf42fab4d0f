@rem Runs a command of Kaptain with the Node of this folder: kaptain help
@"%~dp0node\bin\node.exe" "%~dp0app\service\lib\kaptain.js" %*
