package dev.millrace.cli.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Texts that the demo counts: the named files, or the documents of the repository. */
record DemoTexts(List<Text> texts) {
    record Text(String name, String content) {}

    static DemoTexts of(List<Path> named, Path home) {
        List<Path> files = named.isEmpty() ? documents(home) : named;
        List<Text> texts = new ArrayList<>();
        for (Path file : files) {
            String name = named.isEmpty() ? home.relativize(file).toString() : file.toString();
            texts.add(new Text(name, read(file)));
        }
        return new DemoTexts(List.copyOf(texts));
    }

    /** Input of the flow. */
    ObjectNode input(int top) {
        ObjectNode input = Json.object().put("top", top);
        ArrayNode array = input.putArray("texts");
        texts.forEach(text -> array.addObject().put("name", text.name()).put("text", text.content()));
        return input;
    }

    private static List<Path> documents(Path home) {
        Path docs = home.resolve("docs");
        try (Stream<Path> found = Files.isDirectory(docs) ? Files.walk(docs) : Stream.empty()) {
            return Stream.concat(
                            Stream.of(home.resolve("README.md")).filter(Files::isRegularFile),
                            found.filter(file -> file.toString().endsWith(".md"))
                                    .sorted())
                    .toList();
        } catch (IOException e) {
            throw unreadable(docs, e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static CommandFailure unreadable(Path file, IOException cause) {
        return new CommandFailure(
                ExitCode.NOT_FOUND,
                "The file " + file + " cannot be read as UTF-8 text. Name text files, or none.",
                cause);
    }
}
