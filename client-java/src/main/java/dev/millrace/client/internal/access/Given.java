package dev.millrace.client.internal.access;

/** What a program says itself; empty texts leave the choice to the environment. Not thread-safe. */
public final class Given {
    public String target = "";
    public String workspace = "";
    public String token = "";
    public String tokenFile = "";
    public String caFile = "";
    public String certificateFile = "";
    public String keyFile = "";
    public String context = "";
    public boolean isPlaintextAllowed;
}
