package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/svc"
	"golang.org/x/sys/windows/svc/mgr"
)

// Windows makes this account with the service and removes it with the service; it has no password and few rights.
const account = `NT SERVICE\` + serviceName

const (
	administrators = "*S-1-5-32-544"
	localSystem    = "*S-1-5-18"
	everythingIn   = ":(OI)(CI)F"
)

func connected(use func(*mgr.Mgr) error) error {
	manager, err := mgr.Connect()
	if err != nil {
		return fmt.Errorf("the services of Windows can't be managed: run this as an administrator (%w)", err)
	}
	defer func() { _ = manager.Disconnect() }()
	return use(manager)
}

// openService opens the installed service; nil when there is none.
func openService(manager *mgr.Mgr) (*mgr.Service, error) {
	installed, err := manager.OpenService(serviceName)
	if errors.Is(err, windows.ERROR_SERVICE_DOES_NOT_EXIST) {
		return nil, nil
	}
	return installed, err
}

// makeDataFolder lets only administrators, Windows and the service into the data folder: it holds keys and passwords.
func makeDataFolder() error {
	folder := dataFolder()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	said, err := exec.Command("icacls", folder, "/inheritance:r",
		"/grant:r", administrators+everythingIn, "/grant:r", localSystem+everythingIn, "/grant:r", account+everythingIn).CombinedOutput()
	if err != nil {
		return fmt.Errorf("the rights on %s could not be set: %w\r\n%s", folder, err, said)
	}
	return nil
}

// writeDataFolder tells the command line beside this program where the data is.
func writeDataFolder(program string) error {
	return os.WriteFile(filepath.Join(program, "data-folder.txt"), []byte(dataFolder()+"\r\n"), 0o644)
}

func configOf() mgr.Config {
	return mgr.Config{
		DisplayName:      "Kaptain",
		Description:      "Comments and write-back values for Qlik Sense",
		StartType:        mgr.StartAutomatic,
		ServiceStartName: account,
	}
}

// restartOnFailure lets Windows start the service again after 2 s, 10 s and then every minute.
func restartOnFailure(installed *mgr.Service) error {
	again := func(delay time.Duration) mgr.RecoveryAction {
		return mgr.RecoveryAction{Type: mgr.ServiceRestart, Delay: delay}
	}
	actions := []mgr.RecoveryAction{again(2 * time.Second), again(10 * time.Second), again(time.Minute)}
	if err := installed.SetRecoveryActions(actions, 24*60*60); err != nil {
		return err
	}
	err := installed.SetRecoveryActionsOnNonCrashFailures(true)
	// Wine, on which the setup is tested, does not know this property.
	if errors.Is(err, windows.ERROR_INVALID_LEVEL) {
		return nil
	}
	return err
}

// made returns the service that runs this program; an installed one may have run a program in another folder.
func made(manager *mgr.Mgr, program string) (*mgr.Service, error) {
	installed, err := openService(manager)
	if err != nil {
		return nil, err
	}
	if installed == nil {
		return manager.CreateService(serviceName, program, configOf(), runCommand)
	}
	path, err := windows.UTF16PtrFromString(`"` + program + `" ` + runCommand)
	if err != nil {
		return nil, err
	}
	return installed, windows.ChangeServiceConfig(installed.Handle, windows.SERVICE_NO_CHANGE,
		windows.SERVICE_NO_CHANGE, windows.SERVICE_NO_CHANGE, path, nil, nil, nil, nil, nil, nil)
}

// install makes the service if there is none, and starts it. The account exists once the service does.
func install() error {
	return connected(func(manager *mgr.Mgr) error {
		program, err := programFolder()
		if err != nil {
			return err
		}
		installed, err := made(manager, filepath.Join(program, "kaptain-service.exe"))
		if err != nil {
			return err
		}
		defer installed.Close()
		if err = errors.Join(makeDataFolder(), writeDataFolder(program), restartOnFailure(installed)); err != nil {
			return err
		}
		err = installed.Start()
		if err != nil && !errors.Is(err, windows.ERROR_SERVICE_ALREADY_RUNNING) {
			return err
		}
		return awaitRunning(installed)
	})
}

func awaitRunning(installed *mgr.Service) error {
	for {
		status, err := installed.Query()
		switch {
		case err != nil:
			return err
		case status.State == svc.Running:
			return nil
		case status.State == svc.Stopped:
			return fmt.Errorf("the service could not start; %s says why", filepath.Join(dataFolder(), "service.log"))
		}
		time.Sleep(reportEvery / 4)
	}
}

func stopService(installed *mgr.Service) error {
	status, err := installed.Control(svc.Stop)
	if errors.Is(err, windows.ERROR_SERVICE_NOT_ACTIVE) {
		return nil
	}
	for end := time.Now().Add(stopLimit + reportEvery); err == nil && status.State != svc.Stopped; {
		if time.Now().After(end) {
			return errors.New("the service did not stop")
		}
		time.Sleep(reportEvery / 4)
		status, err = installed.Query()
	}
	return err
}

func stop() error {
	return connected(func(manager *mgr.Mgr) error {
		installed, err := openService(manager)
		if installed == nil {
			return err
		}
		defer installed.Close()
		return stopService(installed)
	})
}

func uninstall() error {
	return connected(func(manager *mgr.Mgr) error {
		installed, err := openService(manager)
		if installed == nil {
			return err
		}
		defer installed.Close()
		return errors.Join(stopService(installed), installed.Delete())
	})
}
