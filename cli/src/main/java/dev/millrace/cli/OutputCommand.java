package dev.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.FactList;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Base of commands that print text for people or JSON for programs. */
public abstract class OutputCommand implements Callable<Integer> {
    private final Terminal terminal;

    protected OutputCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    protected abstract boolean wantsJson();

    protected final Terminal terminal() {
        return terminal;
    }

    protected final void print(String line) {
        terminal.out().println(line);
    }

    protected final void printJson(JsonNode json) {
        terminal.out().println(Json.pretty(json));
    }

    /** Prints one thing as JSON, or a field a line. */
    protected final void printFacts(JsonNode thing) {
        if (wantsJson()) {
            printJson(thing);
        } else {
            new FactList().addAll(thing).lines(terminal.paint()).forEach(this::print);
        }
    }

    /** Prints a result as JSON, or what people want to know of it. */
    protected final void printResult(JsonNode result, String forPeople) {
        if (wantsJson()) {
            printJson(result);
        } else {
            print(forPeople);
        }
    }

    protected final void printTable(Table table) {
        table.lines(terminal.paint(), terminal.lineLengthMax()).forEach(this::print);
    }

    /** Prints a list as {@code {"items":[…]}}, or as a table to which the filler adds a row for each item. */
    protected final void printList(List<JsonNode> items, String whenEmpty, Table table, Consumer<JsonNode> filler) {
        if (wantsJson()) {
            ObjectNode list = Json.object();
            list.putArray("items").addAll(items);
            printJson(list);
        } else if (items.isEmpty()) {
            print(whenEmpty);
        } else {
            items.forEach(filler);
            printTable(table);
        }
    }
}
