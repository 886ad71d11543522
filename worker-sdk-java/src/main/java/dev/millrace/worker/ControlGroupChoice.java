package dev.millrace.worker;

/** Whether each process of a script gets a control group of the system (cgroup v2), which it cannot outgrow. */
public enum ControlGroupChoice {
    /** Never. */
    NONE,
    /** Where the worker's own control group has been delegated to its user; else the worker logs that there are none. */
    AUTO,
    /** Always; where control groups do not work, the worker does not start. */
    REQUIRED
}
