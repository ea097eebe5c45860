    public static int price(Parcel parcel) {
        int basic = switch (parcel.zone()) {
            case DOMESTIC -> 500;
            case NEIGHBOUR -> 1_100;
            case OVERSEAS -> 2_400;
        };
        int perKilogram = switch (parcel.zone()) {
            case DOMESTIC -> 100;
            case NEIGHBOUR -> 250;
            case OVERSEAS -> 650;
        };
        return basic + perKilogram * parcel.extraKilograms();
    }
