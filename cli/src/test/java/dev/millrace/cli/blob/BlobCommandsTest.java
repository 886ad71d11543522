package dev.millrace.cli.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.CliRunner.Outcome;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobCommandsTest {
    private static final String TEXT = "The quick brown fox jumps over the lazy dog.\u001b";

    @AutoClose
    private final FlakyBlobs server = new FlakyBlobs(TEXT);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void putsAFileAndPrintsItsReference() throws IOException {
        server.sha256 = "";
        Path file = Files.writeString(folder.resolve("fox.png"), TEXT);

        Outcome outcome = run("", "blobs", "put", file.toString());

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).startsWith("{\"$blob\":\"" + FlakyBlobs.ID + "\"");
        assertThat(server.bytes).asString().isEqualTo(TEXT);
        assertThat(server.mediaType).isEqualTo("image/png");
    }

    @Test
    void putsStandardInput() {
        server.sha256 = "";

        assertThat(run(TEXT, "blobs", "put", "-", "--media-type", "text/x-fox").exitCode())
                .isZero();
        assertThat(server.bytes).asString().isEqualTo(TEXT);
        assertThat(server.mediaType).isEqualTo("text/x-fox");
        assertThat(run("", "blobs", "put", "-").exitCode()).isZero();
        assertThat(server.bytes).isEmpty();
    }

    @Test
    void uploadsNothingIfAFieldOfTheInputHasNoName() throws IOException {
        Path file = Files.writeString(folder.resolve("fox.png"), TEXT);

        Outcome outcome = run("", "run", "fox.py", "--blob", "photo=" + file, "--blob", file.toString());

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(server.mediaType).isEmpty();
    }

    @Test
    void noticesThatTheServerHasStoredOtherBytes() {
        server.sha256 = "0".repeat(64);

        Outcome outcome = run(TEXT, "blobs", "put", "-");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.INTERNAL.number());
        assertThat(outcome.errors()).contains("other bytes");
    }

    @Test
    void writesTheBytesAsTheyAre() {
        assertThat(run("", "blobs", "get", FlakyBlobs.ID).output()).isEqualTo(TEXT);
    }

    @Test
    void continuesWhereTheConnectionBroke() throws IOException {
        server.bytesMax = 30;
        Path file = folder.resolve("fox.txt");

        assertThat(run("", "blobs", "get", FlakyBlobs.ID, "--to", file.toString())
                        .exitCode())
                .isZero();

        assertThat(file).hasContent(TEXT);
        assertThat(server.ranges).containsExactly("", "bytes=30-");
        assertThat(files()).containsExactly("fox.txt");
    }

    @Test
    void continuesWhatAnEarlierCommandHasBegun() throws IOException {
        Path file = folder.resolve("fox.txt");
        Files.writeString(folder.resolve(".fox.txt." + FlakyBlobs.ID + ".part"), TEXT.substring(0, 10));

        assertThat(run("", "blobs", "get", FlakyBlobs.ID, "--to", file.toString())
                        .exitCode())
                .isZero();

        assertThat(file).hasContent(TEXT);
        assertThat(server.ranges).containsExactly("bytes=9-");
    }

    @Test
    void keepsNoFileWithOtherBytesThanTheBlob() throws IOException {
        Path file = folder.resolve("fox.txt");
        Files.writeString(folder.resolve(".fox.txt." + FlakyBlobs.ID + ".part"), "something else");

        Outcome outcome = run("", "blobs", "get", FlakyBlobs.ID, "--to", file.toString());

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.INTERNAL.number());
        assertThat(outcome.errors()).contains("Load the blob again");
        assertThat(files()).isEmpty();
    }

    @Test
    void mixesNoBytesIntoJson() {
        Outcome outcome = run("", "blobs", "get", FlakyBlobs.ID, "--output", "json");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(server.ranges).isEmpty();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            return found.map(path -> path.getFileName().toString()).toList();
        }
    }

    private Outcome run(String input, String... arguments) {
        return CliRunner.run(Map.of("MILLRACE_SERVER", server.url()), input, arguments);
    }
}
