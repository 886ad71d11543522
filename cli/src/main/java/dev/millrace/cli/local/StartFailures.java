package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.net.BindException;
import java.util.Optional;

/** Explains why a service did not start, in the service's own words. */
final class StartFailures {
    private StartFailures() {}

    static CommandFailure of(Exception failure) {
        if (failure instanceof MillraceException refused) {
            ExitCode code = refused.code() == ErrorCode.INVALID_CONFIG ? ExitCode.USAGE : ExitCode.START_FAILED;
            return new CommandFailure(code, message(refused), refused);
        }
        if (failure instanceof IllegalArgumentException badSetting) {
            return new CommandFailure(ExitCode.USAGE, "A setting is invalid: " + message(badSetting), badSetting);
        }
        String hint = isPortTaken(failure) ? " The port is taken: stop what listens there, or choose another." : "";
        return new CommandFailure(ExitCode.START_FAILED, message(failure) + hint, failure);
    }

    private static String message(Exception failure) {
        return Optional.ofNullable(failure.getMessage()).orElseGet(failure::toString);
    }

    private static boolean isPortTaken(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return true;
            }
        }
        return false;
    }
}
