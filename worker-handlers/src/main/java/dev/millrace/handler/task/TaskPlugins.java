package dev.millrace.handler.task;

import dev.millrace.task.ServerTask;
import dev.millrace.worker.JobHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Server tasks from the jars in a folder. Their classes stay loaded until {@link #close}. */
public final class TaskPlugins implements AutoCloseable {
    private final URLClassLoader classes;
    private final Map<String, JobHandler> handlers = new TreeMap<>();

    private TaskPlugins(URLClassLoader classes) {
        this.classes = classes;
    }

    /**
     * Loads all tasks from the jars in the folder.
     *
     * @throws IllegalArgumentException if a jar is unusable; the message says which and what to do
     */
    public static TaskPlugins load(Path folder) {
        TaskPlugins plugins = new TaskPlugins(new URLClassLoader(
                "server-tasks", jars(folder).toArray(URL[]::new), ServerTask.class.getClassLoader()));
        try {
            ServiceLoader.load(ServerTask.class, plugins.classes).forEach(plugins::add);
            return plugins;
        } catch (ServiceConfigurationError | LinkageError unusable) {
            plugins.close();
            throw new IllegalArgumentException(
                    "A server task in the folder " + folder + " cannot be used: " + unusable.getMessage(), unusable);
        } catch (RuntimeException unusable) {
            plugins.close();
            throw unusable;
        }
    }

    /** Handlers by name, {@code server.NAME}. */
    public Map<String, JobHandler> handlers() {
        return Map.copyOf(handlers);
    }

    @Override
    public void close() {
        try {
            classes.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(ServerTask task) {
        TaskHandler handler = new TaskHandler(task);
        if (handlers.putIfAbsent(handler.name(), handler) != null) {
            throw new IllegalArgumentException(
                    "Two server tasks are named " + handler.name() + ": remove one of their jars, or rename one.");
        }
    }

    /** Jars in the order of their names, so that every server finds the same class. */
    private static List<URL> jars(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "The folder of server tasks, " + folder + ", does not exist: create it, or remove its setting.");
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
            List<Path> sorted = new ArrayList<>();
            files.forEach(sorted::add);
            Collections.sort(sorted);
            List<URL> jars = new ArrayList<>();
            for (Path file : sorted) {
                jars.add(file.toUri().toURL());
            }
            return jars;
        } catch (IOException e) {
            throw new UncheckedIOException("The folder of server tasks, " + folder + ", cannot be read.", e);
        }
    }
}
