package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A package index in a folder, whose wheels have one module of a line or two. */
final class Wheels {
    private final Path folder;

    Wheels(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    /** Publishes a package with a module of the same name. */
    void publish(String name, String version, String source, String... needs) throws IOException {
        String info = name + "-" + version + ".dist-info/";
        var metadata = new StringBuilder("Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n");
        for (String needed : needs) {
            metadata.append("Requires-Dist: ").append(needed).append('\n');
        }
        Path wheel = folder.resolve(name + "-" + version + "-py3-none-any.whl");
        try (OutputStream out = Files.newOutputStream(wheel);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            add(zip, name + ".py", source);
            add(zip, info + "METADATA", metadata.toString());
            add(zip, info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
            add(
                    zip,
                    info + "RECORD",
                    name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n");
        }
    }

    private static void add(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
