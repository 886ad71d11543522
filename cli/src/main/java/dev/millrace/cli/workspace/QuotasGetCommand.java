package dev.millrace.cli.workspace;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code millrace quotas get}: shows the quotas of a workspace and their use. */
@Command(name = "get", description = "Show the quotas of the workspace and their use; for its admins.")
public final class QuotasGetCommand extends ClientCommand {
    static final ApiPath QUOTAS = ApiPath.of("/quotas");

    public QuotasGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode answer = client.get(QUOTAS);
        if (wantsJson()) {
            printJson(answer);
            return ExitCode.OK;
        }
        JsonNode use = answer.path("use");
        Table table = new Table("QUOTA!", "AT MOST>!", "USED>!");
        for (Quota quota : Quota.values()) {
            long limit = answer.path("quotas").path(quota.limit()).asLong();
            table.row(
                    quota.phrase(),
                    limit == 0 ? "no limit" : String.format(Locale.ROOT, "%,d", limit),
                    String.format(Locale.ROOT, "%,.0f", use.path(quota.use()).asDouble()));
        }
        printTable(table);
        print(String.format(
                Locale.ROOT,
                "The scheduler that answers has refused %,d calls and dropped %,d bytes of log since its start.",
                use.path("refused_calls").asLong(),
                use.path("dropped_log_bytes").asLong()));
        return ExitCode.OK;
    }
}
