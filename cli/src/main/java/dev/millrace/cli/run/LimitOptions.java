package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that put the job of a script under a limit, shared by all jobs with the same key. */
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
            description = "Key that the jobs under one limit share (default: the version of the script).")
    private @Nullable String key;

    /** Adds the limit to the body of a submission, if one is requested. */
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
                    "The limit rate '" + rate + "' is not a rate. Write it like: --limit-rate 10/1m",
                    noNumber);
        }
        limit.put("per", rate.substring(slash + 1));
    }
}
