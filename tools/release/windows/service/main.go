// Package main runs Kaptain as a Windows service.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/svc"
)

const (
	serviceName = "Kaptain"
	runCommand  = "run"
)

const help = `kaptain-service install     make the Windows service Kaptain and start it
kaptain-service stop        stop it; requests in flight finish
kaptain-service uninstall   stop and remove it; the data stays`

// programFolder is the folder of this program, in which the release was unpacked.
func programFolder() (string, error) {
	program, err := os.Executable()
	return filepath.Dir(program), err
}

// dataFolder is where the service keeps its data and reads kaptain.json. The environment of a service may lack it.
func dataFolder() string {
	folder, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, 0)
	if err != nil {
		folder = `C:\ProgramData`
	}
	return filepath.Join(folder, serviceName)
}

func run() error {
	commands := map[string]func() error{
		"install":   install,
		"stop":      stop,
		"uninstall": uninstall,
		// Only Windows calls this.
		runCommand: func() error { return svc.Run(serviceName, &service{}) },
	}
	if len(os.Args) == 2 && commands[os.Args[1]] != nil {
		return commands[os.Args[1]]()
	}
	fmt.Println(help)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
