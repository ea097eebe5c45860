package examples.geo;

/** A place on earth in degrees. */
public final class Position {

    private final double longitude;
    private final double latitude;

    public Position(double longitude, double latitude) {
        if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) {
            throw new IllegalArgumentException("no such place: " + longitude + " " + latitude);
        }
        this.longitude = longitude;
        this.latitude = latitude;
    }

    public double longitude() {
        return longitude;
    }

    public double latitude() {
        return latitude;
    }
}
