; The setup for Windows: VERSION, OUTPUT and FILES (the lines that pack the program) are given by build-setup.ts.
Unicode true
Target amd64-unicode
SetCompressor /SOLID lzma
; The time of a file would differ in each build.
SetDateSave off
!include MUI2.nsh
!include LogicLib.nsh

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Kaptain"
!define SERVICE '"$INSTDIR\kaptain-service.exe"'
!define CONSOLE "http://localhost:8000"

Name "Kaptain ${VERSION}"
OutFile "${OUTPUT}"
InstallDir "$PROGRAMFILES64\Kaptain"
InstallDirRegKey HKLM "Software\Kaptain" "Folder"
RequestExecutionLevel admin
ManifestDPIAware true

!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_TEXT "Open Kaptain"
!define MUI_FINISHPAGE_RUN_FUNCTION openConsole
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

Function openConsole
  ExecShell "open" "${CONSOLE}"
FunctionEnd

!macro removeProgram
  RMDir /r "$INSTDIR\app"
  RMDir /r "$INSTDIR\node"
!macroend

Section
  SetRegView 64
  SetShellVarContext all
  ${If} ${FileExists} "$INSTDIR\kaptain-service.exe"
    DetailPrint "Stopping the service; requests in flight finish …"
    nsExec::ExecToLog '${SERVICE} stop'
    Pop $0
    ${If} $0 != 0
      SetErrorLevel 2
      Abort "The service could not be stopped. Nothing was changed."
    ${EndIf}
  ${EndIf}
  !insertmacro removeProgram
  !include "${FILES}"
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKLM "Software\Kaptain" "Folder" "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayName" "Kaptain"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL}" "Publisher" "Kaptain"
  WriteRegStr HKLM "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKLM "${UNINSTALL}" "NoRepair" 1
  WriteINIStr "$SMPROGRAMS\Kaptain.url" "InternetShortcut" "URL" "${CONSOLE}"
  DetailPrint "Starting the service …"
  nsExec::ExecToLog '${SERVICE} install'
  Pop $0
  ${If} $0 != 0
    SetErrorLevel 3
    Abort "The service could not be started. The lines above say why; so does service.log in the folder of the data."
  ${EndIf}
SectionEnd

Section un.
  SetRegView 64
  SetShellVarContext all
  nsExec::ExecToLog '${SERVICE} uninstall'
  Pop $0
  ${If} $0 != 0
    SetErrorLevel 2
    Abort "The service could not be removed. Nothing was changed."
  ${EndIf}
  !insertmacro removeProgram
  ; Drivers that were unpacked beside the program.
  RMDir /r "$INSTDIR\drivers"
  Delete "$INSTDIR\*.*"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Kaptain.url"
  DeleteRegKey HKLM "${UNINSTALL}"
  DeleteRegKey HKLM "Software\Kaptain"
  DetailPrint "The data stays in $APPDATA\Kaptain."
SectionEnd
