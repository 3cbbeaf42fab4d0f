package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

const logLimit = 10 << 20

// process is Kaptain's supervisor with its workers.
type process struct {
	input io.Closer
	job   windows.Handle
	log   *os.File
	ended chan struct{}
}

// openLog opens the file for what Kaptain prints; a long one is kept once, under another name.
func openLog() (*os.File, error) {
	path := filepath.Join(dataFolder(), "service.log")
	if found, err := os.Stat(path); err == nil && found.Size() > logLimit {
		_ = os.Rename(path, path+".old")
	}
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// note writes one line into the log.
func note(line string) {
	if log, err := openLog(); err == nil {
		defer log.Close()
		_, _ = log.WriteString(time.Now().Format(time.RFC3339) + " " + line + "\r\n")
	}
}

// newJob makes a group of processes that Windows ends together with this program, however that ends.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	return job, err
}

func assign(job windows.Handle, pid int) error {
	handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(handle)
	return windows.AssignProcessToJobObject(job, handle)
}

// environment is that of Windows: Node needs SystemRoot, which the environment of a service may lack.
func environment() []string {
	own := []string{"KAPTAIN_DATA_DIR=" + dataFolder(), "KAPTAIN_STOP_WITH_STDIN=1"}
	if root, err := windows.GetSystemWindowsDirectory(); err == nil {
		own = append(own, "SystemRoot="+root)
	}
	return append(os.Environ(), own...)
}

// start starts Kaptain with the Node beside this program. Its configuration is kaptain.json in the data folder.
func start() (*process, error) {
	program, err := programFolder()
	if err != nil {
		return nil, err
	}
	log, err := openLog()
	if err != nil {
		return nil, err
	}
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	command := exec.Command(filepath.Join(program, "node", "bin", "node.exe"),
		filepath.Join(program, "app", "service", "lib", "kaptain.js"), "start")
	command.Dir = dataFolder()
	command.Env = environment()
	command.Stdout, command.Stderr = log, log
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err = command.Start(); err != nil {
		return nil, err
	}
	if err = assign(job, command.Process.Pid); err != nil {
		_ = command.Process.Kill()
		return nil, err
	}
	kaptain := &process{input: input, job: job, log: log, ended: make(chan struct{})}
	go func() {
		_ = command.Wait()
		close(kaptain.ended)
	}()
	return kaptain, nil
}

// askToStop closes the standard input, whereupon Kaptain finishes the requests in flight and ends.
func (kaptain *process) askToStop() {
	_ = kaptain.input.Close()
}

// close ends all processes of the group that still run.
func (kaptain *process) close() {
	_ = windows.CloseHandle(kaptain.job)
	_ = kaptain.log.Close()
}
