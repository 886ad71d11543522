package dev.millrace.cli.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.millrace.handler.sql.Postgresql;
import dev.millrace.handler.sql.Sqlite;
import dev.millrace.handler.sql.SqliteFolder;
import dev.millrace.scheduler.input.DeclaredSchemas;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.schema.CompiledSchema;
import dev.millrace.scheduler.schema.JsonSchemas;
import dev.millrace.scheduler.schema.SchemaInvalid;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.language.Bash;
import dev.millrace.worker.language.EmbeddedLanguage;
import dev.millrace.worker.language.JobStart;
import dev.millrace.worker.language.ScriptVersion;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scheduler refuses no input that a job takes: random inputs of random scripts are given to the languages themselves, with a
 * real database and a real compiler. Set {@code -Dmillrace.test.seed} to repeat a run.
 */
@Tag("nightly")
class DeclaredInputsTest {
    private static final long SEED = Long.getLong("millrace.test.seed", System.nanoTime());
    private static final int RESULT_BYTES_MAX = 1 << 20;
    private static final List<String> SQL_TYPES = List.of(
            "int",
            "smallint",
            "bigint",
            "numeric",
            "numeric(10, 2)",
            "real",
            "double precision",
            "bool",
            "boolean",
            "uuid",
            "text",
            "varchar(5)",
            "date",
            "time",
            "timestamp",
            "timestamptz",
            "interval",
            "json",
            "jsonb",
            "int[]",
            "text[]",
            "numeric[]",
            "bool[]",
            "uuid[]",
            "date[]",
            "varchar(3)[]",
            "jsonb[]",
            "money",
            "inet",
            "INT",
            "Double Precision");
    private static final List<String> GO_TYPES = List.of(
            "int",
            "int8",
            "uint8",
            "uint",
            "float64",
            "float32",
            "string",
            "bool",
            "rune",
            "any",
            "error",
            "interface{}",
            "time.Time",
            "time.Duration",
            "json.Number",
            "json.RawMessage",
            "Order",
            "Node",
            "Loud",
            "Text",
            "Count",
            "Bytes",
            "Pair[int]",
            "Embeds",
            "Alias",
            "Late",
            "struct{ A int; b string }",
            "Grid");
    private static final String GO_DECLARATIONS = """
            type Order struct {
            	ID    int      `json:"id"`
            	Name  string
            	Tags  []string `json:"tags,omitempty"` // a comment
            	Count int64    `json:",string"`
            	Next, Other *Order
            	Skip  int      `json:"-"`
            }

            type (
            	Node struct {
            		A    map[string][]Node `json:"a"`
            		Next *Node             `json:"next"; x:"y"`
            	}
            	Count uint16
            	Bytes []byte
            	Grid  [2][]Count
            )
            type Text string
            type Loud struct{ A int }
            type Alias = Loud
            type Pair[T any] struct{ A, B T }
            type Embeds struct {
            	Alias
            	Name int
            }
            type Late time.Time

            var notMain = func(main int) { type Order int }

            func (l *Alias) UnmarshalJSON(text []byte) error { return nil }
            """.replace("`json:\"next\"; x:\"y\"`", "`json:\"next\" x:\"y\"`");

    private final Random random = new Random(SEED);
    private final RandomJson json = new RandomJson(random);

    @Test
    void takesWhatPostgresTakes() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
            String database = "\"postgresql://postgres@localhost:" + server.getPort() + "/postgres?sslmode=disable\"";
            Postgresql language = new Postgresql();
            int taken = 0;
            for (int round = 0; round < 1_500; round++) {
                String type = json.one(SQL_TYPES);
                String source = switch (random.nextInt(4)) {
                    case 0 -> "-- $1 a (" + type + ")\nselect $1";
                    case 1 -> "-- :a (" + type + ")\nselect :a as x, :a as y";
                    case 2 -> "-- $1 a (" + type + ") = null\nselect $1";
                    default -> "-- $1 a (" + type + ")\nselect $1 as x, length(:b) as y";
                };
                taken += agrees(
                        "postgresql",
                        source,
                        input("\"database\":" + database),
                        input -> runs(language, source, input));
            }
            assertThat(taken).isBetween(200, 1_300);
        }
    }

    @Test
    void takesWhatSqliteTakes(@TempDir Path folder) throws Exception {
        Sqlite language = new Sqlite(List.of(new SqliteFolder(Optional.empty(), folder)));
        for (int round = 0; round < 300; round++) {
            String source = json.one(List.of(
                    "-- ? a (int)\n-- ? b = 3\nselect ?, ?",
                    "-- ? a = 1\n-- ? a\nselect ?;\nselect ?",
                    "select :a as x, :b as y"));
            agrees("sqlite", source, input("\"database\":\":memory:\""), input -> runs(language, source, input));
        }
    }

    @Test
    void takesWhatBashTakes(@TempDir Path folder) throws Exception {
        Bash language = new Bash();
        for (int round = 0; round < 500; round++) {
            String source = json.one(List.of(
                    "a=\"$1\"\nb=\"${2:-x y}\"\n",
                    "  a=$2 # second\nb=${1-}\n",
                    "A=\"$1\"\n",
                    "b=${10:-$a}\necho $1\n"));
            Path file = Files.writeString(folder.resolve("script.sh"), source);
            ScriptVersion version = new ScriptVersion(file, folder, Optional.empty(), List.of());
            agrees("bash", source, input(random.nextInt(9) == 0 ? "\"B b\":1" : "\"c\":\"x\""), input -> {
                try {
                    language.input(version, new JobStart("job", "run", "", 1, "key", input));
                    return true;
                } catch (JobException refused) {
                    return false;
                }
            });
        }
    }

    @Test
    void takesWhatGoTakes(@TempDir Path folder) throws Exception {
        assumeThat(new dev.millrace.worker.internal.language.Go().version()).isPresent();
        List<String> parameters = new ArrayList<>();
        for (int index = 0; index < 60; index++) {
            parameters.add("a " + goType(0) + (random.nextInt(4) > 0 ? "" : ", b, c " + goType(0))
                    + (random.nextInt(4) > 0 ? "" : ", ctx context.Context"));
        }
        Path program = compile(folder, parameters);
        int taken = 0;
        for (int round = 0; round < 2_000; round++) {
            int index = random.nextInt(parameters.size());
            String source = "package inner\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"time\"\n)\n\n"
                    + GO_DECLARATIONS + "\nfunc main(" + parameters.get(index) + ") error { return nil }\n";
            taken += agrees(
                    "go",
                    source,
                    input(
                            parameters.get(index).contains(", b, c ") ? List.of("a", "b", "c") : List.of("a"),
                            random.nextInt(9) > 0 ? "" : json.one(List.of("\"ctx\":1", "\"d\":2"))),
                    input -> exitCode(folder, program, index, input) == 0);
        }
        assertThat(taken).isGreaterThan(100);
    }

    private String goType(int depth) {
        String inner = depth < 3 && random.nextInt(2) == 0 ? goType(depth + 1) : json.one(GO_TYPES);
        return switch (random.nextInt(depth < 3 ? 8 : 1)) {
            case 1 -> "*" + inner;
            case 2 -> "[]" + inner;
            case 3 -> "[2]" + inner;
            case 4 -> "map[string]" + inner;
            case 5 -> "(" + inner + ")";
            default -> inner;
        };
    }

    /** One program for all, as a compilation takes seconds: its argument says which function reads the input. */
    private static Path compile(Path folder, List<String> parameters) throws Exception {
        StringBuilder source =
                new StringBuilder("package main\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"os\"\n"
                        + "\t\"strconv\"\n\t\"time\"\n\tmillrace \"test.invalid/t/millrace\"\n)\n\nvar _ context.Context\n"
                        + "var _ json.Number\n\n" + GO_DECLARATIONS
                        + "\nfunc main() {\n\tindex, _ := strconv.Atoi(os.Args[1])\n"
                        + "\tmillrace.Run(functions[index], names[index])\n}\n\nvar functions = []any{\n");
        StringBuilder names = new StringBuilder("var names = [][]string{\n");
        for (String one : parameters) {
            source.append("\tfunc(").append(one).append(") error { return nil },\n");
            names.append("\t{\"a\"")
                    .append(one.contains(", b, c ") ? ", \"b\", \"c\"" : "")
                    .append(one.endsWith(", ctx context.Context") ? ", \"ctx\"" : "")
                    .append("},\n");
        }
        Files.writeString(
                folder.resolve("main.go"), source.append("}\n\n").append(names).append("}\n"));
        Files.writeString(folder.resolve("go.mod"), "module test.invalid/t\n\ngo 1.24\n");
        try (InputStream run = Bash.class.getResourceAsStream("/millrace-go/run.go")) {
            Files.write(Files.createDirectory(folder.resolve("millrace")).resolve("run.go"), run.readAllBytes());
        }
        Process build = new ProcessBuilder("go", "build", "-o", "program", ".")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(build.getInputStream().readAllBytes(), UTF_8);
        assertThat(build.waitFor()).as("%s\n%s", said, source).isZero();
        return folder.resolve("program");
    }

    private static int exitCode(Path folder, Path program, int index, String input) throws Exception {
        Process process = new ProcessBuilder(program.toString(), Integer.toString(index))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            process.getOutputStream().write(input.getBytes(UTF_8));
            process.getOutputStream().close();
        } catch (IOException endedEarly) {
            // Its exit code says why.
        }
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    private String input(String more) {
        return input(List.of("a", "b", "c"), more);
    }

    /** An input with most of some names, and what else is needed. */
    private String input(List<String> names, String more) {
        List<String> fields = new ArrayList<>();
        for (String name : names) {
            if (random.nextInt(6) > 0) {
                fields.add("\"" + name + "\":" + json.value());
            }
        }
        if (!more.isEmpty()) {
            fields.add(more);
        }
        return "{" + String.join(",", fields) + "}";
    }

    private interface Taker {
        boolean takes(String input) throws Exception;
    }

    /** Checks that what a language takes is not refused by the schema; 1 if it takes the input. */
    private static int agrees(String language, String source, String input, Taker taker) throws Exception {
        Optional<CompiledSchema> schema = DeclaredSchemas.of(new Language(language), source)
                .map(made -> {
                    try {
                        return JsonSchemas.compile(made.schema());
                    } catch (SchemaInvalid invalid) {
                        throw new AssertionError(made.schema().text(), invalid);
                    }
                });
        if (!taker.takes(input)) {
            return 0;
        }
        assertThat(schema.map(check -> check.checkRounded(new Json(input)).stream()
                                .filter(problem -> !problem.rule().isEmpty())
                                .toList())
                        .orElse(List.of()))
                .as(
                        "seed %d, %s takes %s\n%s\n%s",
                        SEED, language, input, source, DeclaredSchemas.of(new Language(language), source))
                .isEmpty();
        return 1;
    }

    private static boolean runs(EmbeddedLanguage language, String source, String input) throws InterruptedException {
        try {
            language.run(source, job(input), RESULT_BYTES_MAX);
            return true;
        } catch (JobException refused) {
            return false;
        }
    }

    private static JobContext job(String input) {
        return (JobContext) Proxy.newProxyInstance(
                JobContext.class.getClassLoader(),
                new Class<?>[] {JobContext.class},
                (_, method, _) -> switch (method.getName()) {
                    case "inputBytes" -> input.getBytes(UTF_8);
                    case "workspace", "jobId" -> "test";
                    case "log" -> null;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
