package examples.images;

/** Width and height in pixels. */
public final class Size {

    private final int width;
    private final int height;

    public Size(int width, int height) {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("no such size: " + width + "x" + height);
        }
        this.width = width;
        this.height = height;
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Size && ((Size) other).width == width && ((Size) other).height == height;
    }

    @Override
    public int hashCode() {
        return 31 * width + height;
    }

    @Override
    public String toString() {
        return width + "x" + height;
    }
}
