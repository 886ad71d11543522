package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that put the job of a script under a limit which jobs with the same key share. */
final class LimitOptions {
    @Option(
            names = "--limit-max",
            paramLabel = "N",
            description = "Of a script: wait while N jobs with the same limit key run.")
    private @Nullable Integer max;

    @Option(
            names = "--limit-rate",
            paramLabel = "N/DURATION",
            description =
                    "Of a script: wait while N jobs with the same limit key have begun in this time, for example 10/1m.")
    private @Nullable String rate;

    @Option(
            names = "--limit-key",
            paramLabel = "KEY",
            description = "What shares the limit; the version of the script unless given.")
    private @Nullable String key;

    /** Adds the limit to the body of a submission, where one is asked for. */
    void addTo(ObjectNode body) {
        if (max == null && rate == null) {
            if (key != null) {
                throw new CommandFailure(
                        ExitCode.USAGE, "The limit key '" + key + "' limits nothing. Add --limit-max or --limit-rate.");
            }
            return;
        }
        ObjectNode limit = body.putObject("limit");
        if (key != null) {
            limit.put("key", key);
        }
        if (max != null) {
            limit.put("max", max);
        }
        if (rate != null) {
            addRate(limit.putObject("rate"), rate);
        }
    }

    private static void addRate(ObjectNode limit, String rate) {
        int slash = rate.indexOf('/');
        try {
            limit.put("count", Integer.parseInt(rate.substring(0, Math.max(slash, 0))));
        } catch (NumberFormatException noNumber) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The limit rate '" + rate + "' is none. Write it like: --limit-rate 10/1m",
                    noNumber);
        }
        limit.put("per", rate.substring(slash + 1));
    }
}
