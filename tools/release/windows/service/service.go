package main

import (
	"fmt"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/svc"
)

// Windows ends a service that does not report progress within the hint, so it is reported more often.
const (
	reportEvery = time.Second
	waitHintMs  = 10_000
	// The supervisor ends its workers itself after 60 s.
	stopLimit = 90 * time.Second
)

type service struct{}

// Execute runs until Windows stops the service or Kaptain ends by itself, which counts as a failure: Windows starts the
// service again then.
func (*service) Execute(_ []string, requests <-chan svc.ChangeRequest, reports chan<- svc.Status) (bool, uint32) {
	reports <- svc.Status{State: svc.StartPending, WaitHint: waitHintMs}
	kaptain, err := start()
	if err != nil {
		note(fmt.Sprintf("Kaptain could not be started: %v", err))
		return true, 1
	}
	defer kaptain.close()
	// Before a shutdown of Windows there is more time than during it.
	running := svc.Status{State: svc.Running, Accepts: svc.AcceptStop | svc.AcceptPreShutdown}
	reports <- running
	for {
		select {
		case <-kaptain.ended:
			note("Kaptain has ended by itself.")
			return true, 2
		case request := <-requests:
			switch request.Cmd {
			case svc.Interrogate:
				reports <- running
			case svc.Stop, svc.PreShutdown:
				stopWhileReporting(kaptain, reports)
				return false, windows.NO_ERROR
			}
		}
	}
}

func stopWhileReporting(kaptain *process, reports chan<- svc.Status) {
	kaptain.askToStop()
	limit := time.After(stopLimit)
	for checkPoint := uint32(1); ; checkPoint++ {
		reports <- svc.Status{State: svc.StopPending, CheckPoint: checkPoint, WaitHint: waitHintMs}
		select {
		case <-kaptain.ended:
			return
		case <-limit:
			note("Kaptain did not stop in time and was ended.")
			return
		case <-time.After(reportEvery):
		}
	}
}
