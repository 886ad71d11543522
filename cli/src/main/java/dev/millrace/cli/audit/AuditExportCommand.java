package dev.millrace.cli.audit;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace audit export}: prints events as CloudEvents, one JSON object on a line. */
@Command(
        name = "export",
        description = {
            "Print events as CloudEvents, in the order in which they were stored, one JSON object on a line.",
            "",
            "An export leaves out the last minute; a later one that goes on after its last id misses no event."
        })
public final class AuditExportCommand extends ClientCommand {
    @Mixin
    private AuditFilter filter = new AuditFilter();

    @Option(names = "--after-id", paramLabel = "ID", description = "Only events after this one.")
    private @Nullable String afterId;

    public AuditExportCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ApiPath path = filter.path("/audit-events:export");
        client.lines(path.withIfGiven("after_id", afterId), this::printEvent);
        return ExitCode.OK;
    }

    /** Writes each event anew, so that control characters in it are escaped. */
    private void printEvent(String line) {
        print(Json.parse(line).map(Json::compact).orElse(line));
    }
}
