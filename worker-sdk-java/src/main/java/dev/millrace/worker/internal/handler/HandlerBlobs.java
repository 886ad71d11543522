package dev.millrace.worker.internal.handler;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.worker.Blob;
import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.jobapi.JobApiAnswer;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.runtime.FileTree;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Blobs of a handler. They travel through a file in a temporary folder that only this user can read, so that a transfer can
 * begin again, and the memory holds a part.
 */
record HandlerBlobs(LeasedJob job, JobApiClient scheduler, ObjectMapper json) {
    private static final String NAME = "blob";

    Blob save(InputStream bytes, String mediaType) throws IOException, InterruptedException {
        Path folder = folder();
        try {
            Files.copy(bytes, folder.resolve(NAME));
            return save(folder, NAME, mediaType);
        } finally {
            FileTree.delete(folder);
        }
    }

    Blob save(Path file, String mediaType) throws IOException, InterruptedException {
        Path real = file.toRealPath();
        Path folder = folder();
        try {
            link(folder.resolve(NAME), real);
            return save(folder, NAME, mediaType);
        } finally {
            FileTree.delete(folder);
        }
    }

    /** Gives the file a second name if both are in one file system, else copies it. */
    private static void link(Path name, Path file) throws IOException {
        try {
            Files.createLink(name, file);
        } catch (IOException | UnsupportedOperationException notPossible) {
            Files.copy(file, name);
        }
    }

    private Blob save(Path folder, String name, String mediaType) throws InterruptedException {
        return json.convertValue(
                HandlerAnswers.await(scheduler.saveBlob(job, folder, name, mediaType), json), Blob.class);
    }

    InputStream open(String blobId) throws IOException, InterruptedException {
        Path folder = folder();
        try {
            var unused = HandlerAnswers.await(scheduler.loadBlob(job, folder, NAME, blobId), json);
            return Files.newInputStream(folder.resolve(NAME), StandardOpenOption.DELETE_ON_CLOSE);
        } finally {
            delete(folder);
        }
    }

    /** Where open files can be deleted, the stream is then the only way to the bytes; elsewhere it deletes them. */
    private static void delete(Path folder) {
        try {
            FileTree.delete(folder);
        } catch (IOException | java.io.UncheckedIOException inUse) {
            // The stream deletes the file when it is closed.
            return;
        }
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("millrace-blob-");
        } catch (IOException e) {
            throw new JobException(
                    JobApiAnswer.Failed.FILE_FAILED, "The temporary folder cannot be used: " + e + ".", true);
        }
    }
}
