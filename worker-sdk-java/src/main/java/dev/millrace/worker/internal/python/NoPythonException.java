package dev.millrace.worker.internal.python;

/** No interpreter of this machine is what a script wants; the message is for the author of the script. */
public final class NoPythonException extends Exception {
    NoPythonException(String message) {
        super(message);
    }
}
