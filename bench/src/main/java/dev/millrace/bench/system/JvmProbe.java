package dev.millrace.bench.system;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Asks another JVM of this machine about itself, through the management agent that every JVM has. Attach only to one that has answered a
 * request: one that is just starting could be ended by it.
 */
public final class JvmProbe implements AutoCloseable {
    /**
     * The serial collector leaves up to a twentieth of the old generation as garbage where moving what follows would cost more than it
     * frees, but not in each of this many collections in turn ({@code MarkSweepDeadRatio}, {@code MarkSweepAlwaysCompactCount}).
     */
    private static final int COLLECTIONS_UNTIL_COMPACT = 4;

    private static final double NANOS_PER_SECOND = 1e9;

    private final JMXConnector connector;
    private final MBeanServerConnection beans;

    private JvmProbe(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.beans = connector.getMBeanServerConnection();
    }

    @SuppressWarnings("BanJNDI") // The address comes from the JVM attached to, which runs as the same user.
    public static JvmProbe attach(long pid) {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                String address = machine.startLocalManagementAgent();
                return new JvmProbe(JMXConnectorFactory.connect(new JMXServiceURL(address)));
            } finally {
                machine.detach();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot attach to the JVM with process id " + pid + ".", e);
        } catch (AttachNotSupportedException e) {
            throw new IllegalStateException("Cannot attach to the JVM with process id " + pid + ".", e);
        }
    }

    /** Bytes that all threads have allocated since the start, virtual ones and those that have ended included. */
    public long allocatedBytes() {
        return (long) attribute("java.lang:type=Threading", "TotalThreadAllocatedBytes");
    }

    /** CPU seconds of the process, finer than the operating system's ticks. */
    public double cpuSeconds() {
        return (long) attribute("java.lang:type=OperatingSystem", "ProcessCpuTime") / NANOS_PER_SECOND;
    }

    /** Collects all garbage and returns what is left in bytes, once a collection has left nothing behind. */
    public long heapAfterFullCollection() {
        try {
            MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(
                    beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < COLLECTIONS_UNTIL_COMPACT; i++) {
                memory.gc();
                least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
            }
            return least;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Bytes of the heap that were in use after the last collections that the JVM made by itself. */
    public long heapAfterLastCollections() {
        try {
            return ManagementFactory.getPlatformMXBeans(beans, MemoryPoolMXBean.class).stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                    .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Most bytes of the heap that were in use at one time, garbage included; pool by pool. */
    public long heapPeak() {
        try {
            List<MemoryPoolMXBean> pools = ManagementFactory.getPlatformMXBeans(beans, MemoryPoolMXBean.class);
            return pools.stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .mapToLong(pool -> pool.getPeakUsage().getUsed())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object attribute(String bean, String name) {
        try {
            return beans.getAttribute(new ObjectName(bean), name);
        } catch (IOException e) {
            throw new UncheckedIOException("The JVM does not answer.", e);
        } catch (JMException e) {
            throw new IllegalStateException("The JVM has no attribute " + name + " of " + bean + ".", e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException gone) {
            // The JVM has ended before us, which closes everything.
        }
    }
}
