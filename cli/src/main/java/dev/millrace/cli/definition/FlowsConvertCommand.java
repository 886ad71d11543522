package dev.millrace.cli.definition;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace flows convert}: translates a definition into the dialect {@code millrace}. */
@Command(
        name = "convert",
        description = "Write a flow definition of any dialect in the dialect millrace; nothing is stored.")
public final class FlowsConvertCommand extends ClientCommand {
    private static final String ENDING = ".yaml";

    @Parameters(paramLabel = "FILE", description = "Flow definition (.yaml, .yml or .json).")
    private Path file = Path.of("");

    @Mixin
    private DialectOption dialect = new DialectOption();

    @Option(
            names = "--to",
            paramLabel = "FOLDER",
            description = "Write the definition and its scripts there, instead of printing the definition.")
    private @Nullable Path folder;

    public FlowsConvertCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        FlowFile flow = FlowFile.read(file, dialect);
        FlowFile.Conversion conversion = flow.convert(client);
        if (!wantsJson()) {
            flow.warnings(conversion.json()).forEach(terminal().err()::println);
        }
        if (folder != null) {
            write(folder, conversion);
        } else if (wantsJson()) {
            printJson(conversion.json());
        } else {
            print(conversion.definition().stripTrailing());
            if (!conversion.embedded().isEmpty()) {
                terminal()
                        .err()
                        .println("The original contained scripts that the new definition names by path: "
                                + String.join(", ", conversion.embedded().keySet()) + ". Write them with --to FOLDER.");
            }
        }
        return ExitCode.OK;
    }

    private void write(Path target, FlowFile.Conversion conversion) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(definitionName(), conversion.definition());
        files.putAll(conversion.embedded());
        if (!TextFile.isSame(target.resolve(definitionName()), file.resolveSibling(definitionName()))) {
            files.putAll(conversion.beside());
        }
        NewFiles.write(target, files);
        if (wantsJson()) {
            printJson(conversion.json());
        } else {
            files.keySet().forEach(name -> print(target.resolve(name).toString()));
        }
    }

    private String definitionName() {
        String name = file.getFileName().toString();
        return name.substring(0, name.lastIndexOf('.') < 0 ? name.length() : name.lastIndexOf('.')) + ENDING;
    }
}
