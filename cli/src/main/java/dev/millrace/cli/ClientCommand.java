package dev.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;

/** Base of commands that talk to a server: provides a connected client, and prints text or JSON. */
public abstract class ClientCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ClientOptions options = new ClientOptions();

    protected ClientCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    protected abstract ExitCode execute(MillraceClient client);

    @Override
    public final Integer call() {
        if (options.isRaw()) {
            terminal.showRaw();
        }
        try (MillraceClient client = options.connect()) {
            return execute(client).number();
        }
    }

    protected Terminal terminal() {
        return terminal;
    }

    protected boolean wantsJson() {
        return options.wantsJson();
    }

    protected void print(String line) {
        terminal.out().println(line);
    }

    protected void printJson(JsonNode json) {
        terminal.out().println(Json.pretty(json));
    }

    /** Prints a list as {@code {"items":[…]}}, or as a table to which the filler adds a row for each item. */
    protected void printList(List<JsonNode> items, String whenEmpty, Table table, Consumer<JsonNode> filler) {
        if (wantsJson()) {
            ObjectNode list = Json.object();
            list.putArray("items").addAll(items);
            printJson(list);
        } else if (items.isEmpty()) {
            print(whenEmpty);
        } else {
            items.forEach(filler);
            table.lines(terminal.paint(), terminal.lineLengthMax()).forEach(this::print);
        }
    }
}
