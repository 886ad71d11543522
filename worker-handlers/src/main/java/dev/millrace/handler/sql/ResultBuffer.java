package dev.millrace.handler.sql;

import java.io.ByteArrayOutputStream;

/** The result of a job while it is written. It ends the job once it is larger than a result may be. */
final class ResultBuffer extends ByteArrayOutputStream {
    private final int bytesMax;

    /** @param bytesMax largest size in bytes */
    ResultBuffer(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Override
    public synchronized void write(int b) {
        require(1);
        super.write(b);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        require(length);
        super.write(bytes, offset, length);
    }

    private void require(int more) {
        if (more > bytesMax - count) {
            throw SqlErrors.result("The rows take more than the " + bytesMax
                    + " bytes that a result may have: select fewer columns or rows, or let the statement write its rows"
                    + " into a table.");
        }
    }
}
