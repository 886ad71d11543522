package dev.millrace.worker;

/** Which packages a worker installs for Python scripts, besides those that its interpreter has. */
public enum PythonPackageChoice {
    /** Those that a script declares, else those that its imports need. */
    INFERRED,
    /** Those that a script declares. */
    DECLARED,
    /** None. */
    NONE
}
